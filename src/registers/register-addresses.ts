/** Where each register's services are: see XRoadOptions. */
export interface RegisterAddresses {
  readonly rr: string;
  readonly ads: string;
  readonly tor: string;
  readonly ska: string;
  readonly tk: string;
  readonly wm: string;
}
