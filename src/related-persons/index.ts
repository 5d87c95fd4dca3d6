export { type RelatedPersonSettings, relatedPersonIndex } from "./related-person-index.ts";
