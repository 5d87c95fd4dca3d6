/** A sample as Prometheus reads it: `name{labels} value`. */
export type Samples = ReadonlyMap<string, number>;

/** What a service measures now, by name and labels. */
export async function scraped(metricsUrl: string): Promise<Samples> {
  const lines = (await (await fetch(metricsUrl)).text()).split("\n");
  return new Map(
    lines
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const at = line.lastIndexOf(" ");
        return [line.slice(0, at), Number(line.slice(at + 1))] as const;
      }),
  );
}
