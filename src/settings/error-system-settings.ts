import { defaultErrorSystems, type ErrorSystem } from "../errors/index.ts";
import { type Setting, setting, url } from "./setting.ts";

/** MPI_ERROR_SYSTEM_*: the URIs of the error systems. */
export const errorSystemSettings = Object.entries(defaultErrorSystems).map(
  ([system, uri]): [ErrorSystem, Setting<string>] => [
    system as ErrorSystem,
    setting(`MPI_ERROR_SYSTEM_${system}`, url, uri, `URI of the error system ${system}.`),
  ],
);
