export { type ElementPaths, elementPaths, knownPaths, withElements } from "./elements.ts";
export { feedToken, parseFeedToken } from "./feed-token.ts";
export { fitting, PAGE_BYTES, type PlaceOfPage, placeOfPage, sizeOfWholePages } from "./page-bytes.ts";
export {
  listName,
  malformed,
  pageBehind,
  pageSize,
  pageToken,
  parsePageToken,
  parseVersionToken,
} from "./page-token.ts";
export type { ChangesPage, FeedPlace, HistoryPage, ListRequest } from "./pages.ts";
export { patientNumber } from "./patient-number.ts";
export { isSubsetted } from "./subsetted.ts";
export { parseVersionId, refuseOtherId, refuseOtherVersion, refuseVersions } from "./versions.ts";
