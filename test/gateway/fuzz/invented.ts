/** A request as it is sent. */
export interface Invented {
  readonly method: string;
  /** Below the origin, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}
