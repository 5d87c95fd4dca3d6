// Plain JavaScript, so that any Node can read it and say what is missing.
import module from "node:module";
import { setFlagsFromString } from "node:v8";

const [major] = process.versions.node.split(".").map(Number);

if (major < 26) {
  console.error(
    `The patient index needs Node 26 or newer; this is Node ${process.versions.node}.\n` +
      "`npm ci` installs a fitting one beside it, which `npm start` then uses: run both in the clone.",
  );
  process.exit(1);
}

// What was compiled once is found by later starts, where the clone can be written to: they take a third less time. In a
// folder of our own: what others could put there would run as ours.
const compiled = `${import.meta.dirname}/../.cache/compiled`;
module.enableCompileCache(compiled);
// By this the threads of the process find it, too.
process.env["NODE_COMPILE_CACHE"] = compiled;

// V8 would begin to place the messages of calls where only a full garbage collection frees them: docs/performance.md.
setFlagsFromString("--no-allocation-site-pretenuring");

await import("./main.ts");
