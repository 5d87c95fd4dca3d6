/** Names that invented people bear: common ones of a country, put together at random. */
export interface NameList {
  readonly male: readonly string[];
  readonly female: readonly string[];
  readonly family: readonly string[];
  /** Family names of women, where the language has a form of its own for them. */
  readonly womensFamily?: readonly string[];
}

export const ESTONIAN_NAMES: NameList = {
  male: words(`Andres Toomas Jaan Rein Margus Urmas Aivar Priit Marko Kristjan Martin Siim Rasmus Kaspar Oliver
    Hugo Mattias Tõnu Ülo Jüri Peeter Ants Karl Mihkel Sander Henri Taavi Indrek Raivo Tarmo`),
  female:
    words(`Katrin Anneli Tiina Sirje Ülle Piret Kristiina Liis Maarja Kadri Mari Anu Eve Riina Pille Triin
    Laura Kertu Marleen Emma Mia Sofia Aino Leida Helmi Õie Malle Külli Merike Getter`),
  family:
    words(`Tamm Saar Sepp Mägi Kask Kukk Rebane Ilves Pärn Koppel Luik Oja Raudsepp Vaher Lepik Kuusk Karu
    Kütt Põder Lõhmus Teder Kivi Parts Kallas Mets Allik Laas Liiv Sild Toom Õunapuu Käär Järv Rand Vares`),
};

const FINNISH: NameList = {
  male: words("Mikko Juhani Antti Eero Timo Pekka Jari Ville Aleksi Väinö"),
  female: words("Aino Helena Päivi Sanna Tuula Emilia Anni Kaarina Outi Venla"),
  family: words("Korhonen Virtanen Mäkinen Nieminen Hämäläinen Laine Heikkinen Koskinen Järvinen Lehtonen"),
};
const LATVIAN: NameList = {
  male: words("Jānis Andris Juris Edgars Māris Kārlis Roberts Artūrs"),
  female: words("Anna Inese Kristīne Ilze Līga Zane Elīna Dace"),
  family: words("Bērziņš Kalniņš Ozoliņš Jansons Liepiņš Krūmiņš Balodis Eglītis"),
  womensFamily: words("Bērziņa Kalniņa Ozoliņa Jansone Liepiņa Krūmiņa Balode Eglīte"),
};
const LITHUANIAN: NameList = {
  male: words("Jonas Vytautas Tomas Mindaugas Lukas Darius"),
  female: words("Ona Rūta Ieva Gabija Daiva Eglė"),
  family: words("Kazlauskas Petrauskas Stankevičius Žukauskas Butkus"),
  womensFamily: words("Kazlauskienė Petrauskaitė Stankevičienė Žukauskaitė Butkutė"),
};
const UKRAINIAN: NameList = {
  male: words("Oleksandr Serhii Andrii Mykola Dmytro Taras Bohdan"),
  female: words("Olena Natalia Iryna Oksana Yuliia Sofiia Kateryna"),
  family: words("Shevchenko Kovalenko Bondarenko Tkachenko Kravchenko Melnyk Oliinyk"),
};
const ROMANIAN: NameList = {
  male: words("Andrei Ion Mihai Ștefan Gheorghe Vlad"),
  female: words("Maria Elena Ioana Andreea Cristina Alina"),
  family: words("Popescu Ionescu Popa Dumitru Stan Țurcanu"),
};
const TURKISH: NameList = {
  male: words("Mehmet Mustafa Ahmet Emre Yusuf Ömer"),
  female: words("Fatma Ayşe Zeynep Elif Hatice Özge"),
  family: words("Yılmaz Kaya Demir Şahin Çelik Öztürk"),
};
const GERMAN: NameList = {
  male: words("Lukas Jürgen Matthias Stefan Jonas Wolfgang"),
  female: words("Anna Katharina Ursula Lena Sabine Käthe"),
  family: words("Müller Schmidt Weiß Fischer Schäfer Groß"),
};
const POLISH: NameList = {
  male: words("Jan Paweł Łukasz Krzysztof Michał Stanisław"),
  female: words("Agnieszka Katarzyna Małgorzata Zofia Ewa Łucja"),
  family: words("Nowak Wójcik Woźniak Mazur Krawczyk Zając"),
};
const AMERICAN: NameList = {
  male: words("James Robert Michael William David"),
  female: words("Mary Patricia Jennifer Linda Elizabeth"),
  family: words("Smith Johnson O'Neill Garcia Miller"),
};

/** Names by the country a foreigner comes from, ISO 3166 alpha-3. */
export const FOREIGN_NAMES: Readonly<Record<string, NameList>> = {
  fin: FINNISH,
  lva: LATVIAN,
  ltu: LITHUANIAN,
  ukr: UKRAINIAN,
  rou: ROMANIAN,
  tur: TURKISH,
  deu: GERMAN,
  pol: POLISH,
  usa: AMERICAN,
};

function words(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}
