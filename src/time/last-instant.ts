/** Writes instants, in milliseconds since 1970, and remembers the last one: what is told or stored together has one instant. */
export function ofLastInstant(write: (instant: number) => string): (instant: number) => string {
  let last = Number.NaN;
  let text = "";
  return (instant) => {
    if (instant !== last) {
      text = write(instant);
      last = instant;
    }
    return text;
  };
}
