/** Which kinds of document the index knows of which country (spec rules.md, "Identifiers"); ISO 3166 alpha-3. */

/** Countries with a national code, type `ni`; Estonia's is apart. */
export const NATIONAL_CODE_COUNTRIES: ReadonlySet<string> = countries(`
  alb are arg bhr bgd bel bih bra bgr col geo mac hkg chn esp hrv isr idn isl ita kaz kwt ltu zaf
  lva nld mkd mys mlt mex mda mne npl nga nor pak pol prt swe rou smr srb sgp svk svn fin lka zwe
  dnk tha twn cze chl tur ukr ven
`);

/** Countries with an identity card, type `cz`. */
export const IDENTITY_CARD_COUNTRIES: ReadonlySet<string> = countries(`
  alb are bhr bel bih bgr geo esp hrv ita kaz ltu lva nld mkd mlt mda mne nor pol prt swe rou smr
  srb svk svn fin tha cze chl ukr
`);

/** Countries with a driving licence, type `dl`. */
export const DRIVING_LICENCE_COUNTRIES: ReadonlySet<string> = countries(`
  alb arg bel bih bgr col geo esp hrv isl ita kaz ltu lva nld mkd mlt mda mne nga nor pol prt swe
  rou smr srb svk svn fin dnk tha cze chl tur ukr
`);

/** Countries whose document number needs the national code beside it (MPI-070). */
export const NATIONAL_CODE_DEMANDED: ReadonlySet<string> = countries(`
  est bgr cze lva mlt rou alb bih mne mkd srb tur geo zaf zwe arg bra mex ven bhr isr kaz kwt mys
  npl pak twn tha
`);

function countries(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
