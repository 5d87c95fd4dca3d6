// A process of its own that starts an embedded server, for the tests to interrupt and to run as somebody else.
// Arguments: the module to start it with, the data folder. Prints what came of it as a line of JSON, and stops
// the server when its input ends.
const [module, dataDirectory] = process.argv.slice(2);
const { startEmbeddedServer } = await import(`${module}`);
const quiet = { info: () => undefined, error: () => undefined };

try {
  const server = await startEmbeddedServer({ dataDirectory, log: quiet });
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  process.stdin.resume().on("end", () => server.stop());
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`,
  );
  process.exitCode = 1;
}
