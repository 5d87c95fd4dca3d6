import type { Fault, Meaning, ParametersOf } from "../errors/index.ts";

/** Notes a fault of the element that the FHIRPath expression points at. */
export type Report = <M extends Meaning>(meaning: M, parameters: ParametersOf<M>, expression: string) => void;

/** A report, and the list that it fills. */
export function collectFaults(): { readonly report: Report; readonly faults: Fault[] } {
  const faults: Fault[] = [];
  const report: Report = (meaning, parameters, expression) => {
    const noted: { meaning: Meaning; parameters: object; expression: string[] } = {
      meaning,
      parameters,
      expression: [expression],
    };
    // Report's signature has tied the parameters to the meaning; the union Fault cannot see that.
    faults.push(noted as Fault);
  };
  return { report, faults };
}
