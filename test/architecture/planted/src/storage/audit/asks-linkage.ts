export { link } from "../linkage/link.ts";
