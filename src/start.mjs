// Plain JavaScript, so that any Node can read it and say what is missing.
const [major] = process.versions.node.split(".").map(Number);

if (major < 26) {
  console.error(
    `The patient index needs Node 26 or newer; this is Node ${process.versions.node}.\n` +
      "`npm ci` installs a fitting one beside it, which `npm start` then uses: run both in the clone.",
  );
  process.exit(1);
}

await import("./main.ts");
