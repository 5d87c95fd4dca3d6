/** A place that invented people live in. */
export interface Place {
  readonly state: string;
  readonly district: string;
  readonly city: string;
  /** First three digits of its postal codes. */
  readonly postal: string;
}

export const ESTONIAN_PLACES: readonly Place[] = [
  { state: "Harju maakond", district: "Tallinn", city: "Kesklinna linnaosa", postal: "101" },
  { state: "Harju maakond", district: "Tallinn", city: "Mustamäe linnaosa", postal: "126" },
  { state: "Harju maakond", district: "Tallinn", city: "Lasnamäe linnaosa", postal: "136" },
  { state: "Harju maakond", district: "Rae vald", city: "Jüri alevik", postal: "753" },
  { state: "Tartu maakond", district: "Tartu linn", city: "Tartu linn", postal: "510" },
  { state: "Pärnu maakond", district: "Pärnu linn", city: "Pärnu linn", postal: "800" },
  { state: "Ida-Viru maakond", district: "Narva linn", city: "Narva linn", postal: "203" },
  { state: "Viljandi maakond", district: "Viljandi linn", city: "Viljandi linn", postal: "710" },
  { state: "Saare maakond", district: "Saaremaa vald", city: "Kuressaare linn", postal: "938" },
  { state: "Võru maakond", district: "Võru linn", city: "Võru linn", postal: "656" },
];

export const ESTONIAN_STREETS: readonly string[] = [
  "Aia tn",
  "Kase tn",
  "Lille tn",
  "Metsa tn",
  "Mäe tn",
  "Pargi tn",
  "Pikk tn",
  "Põllu tn",
  "Ranna tee",
  "Tamme pst",
  "Vabaduse pst",
  "Õpetajate tn",
];

/** Cities and streets abroad, by ISO 3166 alpha-3. */
export const FOREIGN_PLACES: Readonly<
  Record<string, { readonly cities: readonly string[]; readonly street: string }>
> = {
  fin: { cities: ["Helsinki", "Espoo", "Tampere", "Jyväskylä"], street: "Koulukatu" },
  lva: { cities: ["Rīga", "Liepāja", "Valmiera"], street: "Brīvības iela" },
  ltu: { cities: ["Vilnius", "Kaunas", "Klaipėda"], street: "Gedimino gatvė" },
  ukr: { cities: ["Kyiv", "Lviv", "Odesa", "Kharkiv"], street: "Shevchenka St" },
  rou: { cities: ["București", "Iași", "Brașov"], street: "Strada Florilor" },
  tur: { cities: ["İstanbul", "Ankara", "İzmir"], street: "Atatürk Caddesi" },
  deu: { cities: ["Berlin", "München", "Köln"], street: "Hauptstraße" },
  pol: { cities: ["Warszawa", "Kraków", "Łódź"], street: "ulica Długa" },
  usa: { cities: ["Boston", "Denver", "Portland"], street: "Main Street" },
};
