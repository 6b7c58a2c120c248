interface NamedModel {
  make: string
  model: string
  trims: readonly string[]
}

export const keyOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** One line per make. A model's trims follow a colon. */
const lines: Readonly<Record<string, string>> = {
  Acura: 'ILX; Integra; MDX: Technology, Advance, A-Spec; NSX; RDX: Technology, Advance, A-Spec; TL; TLX; TSX',
  'Alfa Romeo': 'Giulia; Stelvio; Tonale',
  Audi: 'A3; A4: Premium, Premium Plus, Prestige; A5; A6; A7; A8; e-tron; Q3; Q5: Premium, Premium Plus, Prestige; Q7; Q8; S4; S5; TT',
  BMW: '2 Series; 3 Series: 330i, 330i xDrive, M340i; 4 Series; 5 Series; 7 Series; i3; i4; M3; M4; M5; X1; X3: sDrive30i, xDrive30i, M40i; X5: sDrive40i, xDrive40i, M50i; X6; X7; Z4',
  Buick: 'Enclave: Preferred, Essence, Premium, Avenir; Encore; Encore GX; Envision; LaCrosse; Regal; Verano',
  Cadillac: 'ATS; CT4; CT5; CTS; Escalade: Luxury, Premium Luxury, Platinum; Escalade ESV; Lyriq; SRX; XT4; XT5: Luxury, Premium Luxury, Sport; XT6; XTS',
  Chevrolet: 'Blazer: LT, RS, Premier; Bolt EV; Camaro: LS, LT, SS, ZL1; Colorado: WT, LT, Z71, ZR2; Corvette: Stingray, Z06; Cruze; Equinox: LS, LT, RS, Premier; Express; Impala: LS, LT, Premier; Malibu: LS, RS, LT, Premier; Silverado 1500: WT, Custom, LT, RST, LTZ, High Country, Trail Boss; Silverado 2500HD: WT, LT, LTZ, High Country; Silverado 3500HD; Sonic; Spark; Suburban: LS, LT, RST, Premier, Z71; Tahoe: LS, LT, RST, Z71, Premier, High Country; Trailblazer; Traverse: LS, LT, RS, Premier; Trax; Volt',
  Chrysler: '200; 300: Touring, Limited, S; Pacifica: Touring, Touring L, Limited, Pinnacle; Town & Country; Voyager',
  Dodge: 'Challenger: SXT, GT, R/T, Scat Pack, Hellcat; Charger: SXT, GT, R/T, Scat Pack, Hellcat; Dart; Durango: SXT, GT, R/T, Citadel; Grand Caravan: SE, SXT, GT; Hornet; Journey; Viper',
  Fiat: '500; 500X',
  Ford: 'Bronco: Big Bend, Outer Banks, Badlands, Wildtrak, Raptor; Bronco Sport: Base, Big Bend, Outer Banks, Badlands; EcoSport; Edge: SE, SEL, ST-Line, Titanium, ST; Escape: S, SE, SEL, Titanium; Expedition: XLT, Limited, King Ranch, Platinum; Expedition Max; Explorer: Base, XLT, Limited, ST, Platinum; F-150: XL, XLT, STX, Lariat, King Ranch, Platinum, Limited, Raptor, Tremor; F-150 Lightning; F-250: XL, XLT, Lariat, King Ranch, Platinum; F-350: XL, XLT, Lariat, King Ranch, Platinum; F-450; Fiesta; Flex; Focus: S, SE, SEL, ST, Titanium; Fusion: S, SE, SEL, Titanium; Maverick: XL, XLT, Lariat; Mustang: EcoBoost, GT, GT Premium; Mustang Mach-E; Ranger: XL, XLT, Lariat; Taurus; Transit: Base, High Roof, Medium Roof; Transit Connect',
  Genesis: 'G70; G80; G90; GV70; GV80',
  GMC: 'Acadia: SLE, SLT, AT4, Denali; Canyon: SLE, SLT, AT4, Denali; Savana; Sierra 1500: Pro, SLE, Elevation, SLT, AT4, Denali; Sierra 2500HD: SLE, SLT, AT4, Denali; Sierra 3500HD; Terrain: SLE, SLT, AT4, Denali; Yukon: SLE, SLT, AT4, Denali; Yukon XL: SLE, SLT, AT4, Denali',
  Honda: 'Accord: LX, Sport, EX, EX-L, Touring; Civic: LX, Sport, EX, Touring, Si, Type R; Clarity; CR-V: LX, EX, EX-L, Touring; Element; Fit; HR-V: LX, Sport, EX, EX-L; Insight; Odyssey: LX, EX, EX-L, Touring, Elite; Passport: Sport, EX-L, Touring; Pilot: LX, EX, EX-L, Touring, Elite, Black Edition; Ridgeline: Sport, RTL, RTL-E, Black Edition',
  Hyundai: 'Accent; Elantra: SE, SEL, Value Edition, Limited; Ioniq; Ioniq 5; Kona; Palisade: SE, SEL, Limited, Calligraphy; Santa Cruz; Santa Fe: SE, SEL, Limited, Calligraphy; Sonata: SE, SEL, Limited; Tucson: SE, SEL, Limited; Veloster; Venue',
  Infiniti: 'Q50; Q60; QX50; QX55; QX60; QX80',
  Jaguar: 'E-Pace; F-Pace; F-Type; I-Pace; XE; XF; XJ',
  Jeep: 'Cherokee: Latitude, Latitude Lux, Trailhawk, Limited; Compass: Sport, Latitude, Limited, Trailhawk; Gladiator: Sport, Sport S, Overland, Mojave, Rubicon; Grand Cherokee: Laredo, Altitude, Limited, Overland, Summit, SRT; Grand Cherokee L; Grand Wagoneer; Liberty; Patriot; Renegade; Wagoneer; Wrangler: Sport, Sport S, Sahara, Rubicon, Willys',
  Kia: 'Carnival; EV6; Forte: LX, LXS, GT; K5: LXS, GT-Line, EX, GT; Niro; Optima; Rio; Sedona; Seltos; Sorento: LX, S, EX, SX; Soul: LX, S, GT-Line, EX; Sportage: LX, EX, SX; Stinger; Telluride: LX, S, EX, SX',
  'Land Rover': 'Defender; Discovery; Discovery Sport; Range Rover; Range Rover Evoque; Range Rover Sport; Range Rover Velar',
  Lexus: 'ES: 350, 350 F Sport, 350 Ultra Luxury; GS; GX; IS; LC; LS; LX; NX; RC; RX: 350, 350 F Sport, 450h; UX',
  Lincoln: 'Aviator; Continental; Corsair; MKC; MKX; MKZ; Nautilus; Navigator: Standard, Reserve, Black Label; Navigator L',
  Maserati: 'Ghibli; Levante; Quattroporte',
  Mazda: '3; 6; CX-3; CX-30; CX-5: S, Select, Preferred, Carbon, Premium, Touring, Grand Touring; CX-50; CX-9: Sport, Touring, Grand Touring, Signature; CX-90; MX-5 Miata',
  'Mercedes-Benz': 'A-Class; C-Class: C 300, C 300 4MATIC, AMG C 43; CLA; CLS; E-Class; G-Class; GLA; GLB; GLC: GLC 300, GLC 300 4MATIC; GLE: GLE 350, GLE 350 4MATIC, GLE 450; GLS; Metris; S-Class; SL; Sprinter',
  Mini: 'Clubman; Cooper; Countryman',
  Mitsubishi: 'Eclipse Cross; Lancer; Mirage; Outlander: ES, SE, SEL; Outlander Sport',
  Nissan: '370Z; Altima: S, SV, SR, SL; Ariya; Armada: SV, SL, Platinum; Frontier: S, SV, PRO-4X; Juke; Kicks; Leaf; Maxima: S, SV, SR, SL, Platinum; Murano: S, SV, SL, Platinum; NV200; Pathfinder: S, SV, SL, Platinum, Rock Creek; Quest; Rogue: S, SV, SL, Platinum; Rogue Sport; Sentra: S, SV, SR; Titan: S, SV, PRO-4X, SL; Titan XD; Versa; Xterra',
  Polestar: '2',
  Porsche: '718 Boxster; 718 Cayman; 911; Cayenne; Macan; Panamera; Taycan',
  Ram: '1500: Tradesman, Big Horn, Laramie, Rebel, Limited, Longhorn, TRX; 1500 Classic; 2500: Tradesman, Big Horn, Laramie, Limited, Power Wagon; 3500: Tradesman, Big Horn, Laramie, Limited; ProMaster; ProMaster City',
  Rivian: 'R1S; R1T',
  Scion: 'FR-S; tC; xB; xD',
  Subaru: 'Ascent: Base, Premium, Limited, Touring; BRZ; Crosstrek: Base, Premium, Sport, Limited; Forester: Base, Premium, Sport, Limited, Touring, Wilderness; Impreza; Legacy; Outback: Base, Premium, Limited, Onyx XT, Touring, Wilderness; Solterra; WRX',
  Tesla: 'Cybertruck; Model 3: Standard Range Plus, Long Range, Performance; Model S; Model X; Model Y: Long Range, Performance',
  Toyota: '4Runner: SR5, TRD Off-Road, Limited, TRD Pro; 86; Avalon; bZ4X; C-HR; Camry: L, LE, SE, XLE, XSE; Corolla: L, LE, S, SE, XSE; Corolla Cross; GR86; Highlander: L, LE, XLE, Limited, Platinum; Land Cruiser; Matrix; Prius: L, LE, XLE; Prius Prime; RAV4: LE, XLE, XLE Premium, Adventure, Limited; RAV4 Prime; Sequoia: SR5, Limited, Platinum; Sienna: LE, XLE, XSE, Limited, Platinum; Supra; Tacoma: SR, SR5, TRD Sport, TRD Off-Road, Limited, TRD Pro; Tundra: SR, SR5, Limited, 1794, Platinum; Venza; Yaris',
  Volkswagen: 'Arteon; Atlas: S, SE, SEL, SEL Premium; Atlas Cross Sport; Beetle; Golf; Golf GTI; ID.4; Jetta: S, SE, Sport, SEL; Passat; Taos; Tiguan: S, SE, SEL; Touareg',
  Volvo: 'S60; S90; V60; V90; XC40; XC60; XC90: Momentum, R-Design, Inscription',
} // oxfmt-ignore

const knownModels: readonly NamedModel[] = Object.entries(lines).flatMap(([make, line]) =>
  line.split('; ').map((entry) => {
    const [model = '', trims = ''] = entry.split(': ')
    return { make, model, trims: trims === '' ? [] : trims.split(', ') }
  }),
)

const makeNicknames: Readonly<Record<string, string>> = {
  alfa: 'Alfa Romeo', beemer: 'BMW', benz: 'Mercedes-Benz', bimmer: 'BMW', caddy: 'Cadillac', chevrolet: 'Chevrolet',
  chevy: 'Chevrolet', chev: 'Chevrolet', chevys: 'Chevrolet', dodgeram: 'Ram', gm: 'GMC', infinity: 'Infiniti',
  landrover: 'Land Rover', mb: 'Mercedes-Benz', mercedes: 'Mercedes-Benz', merc: 'Mercedes-Benz', mitsu: 'Mitsubishi',
  subie: 'Subaru', vw: 'Volkswagen', yota: 'Toyota',
} // oxfmt-ignore

export const makesByKey: ReadonlyMap<string, string> = new Map([
  ...Object.keys(lines).map((make) => [keyOf(make), make] as const),
  ...Object.entries(makeNicknames),
])

/** Alternative names of models, by make. */
const modelNicknames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BMW: { '328i': '3 Series', '330': '3 Series', '528i': '5 Series', '530i': '5 Series', '540i': '5 Series', '740i': '7 Series' },
  Chevrolet: {
    '1500': 'Silverado 1500', '2500': 'Silverado 2500HD', '3500': 'Silverado 3500HD', bolt: 'Bolt EV', silverado: 'Silverado 1500', silverado2500: 'Silverado 2500HD', silverado3500: 'Silverado 3500HD',
    vette: 'Corvette',
  },
  Chrysler: { '300c': '300', '300s': '300', townandcountry: 'Town & Country', townncountry: 'Town & Country' },
  Dodge: { caravan: 'Grand Caravan' },
  Ford: {
    '150': 'F-150', '250': 'F-250', '350': 'F-350', f250superduty: 'F-250', f350superduty: 'F-350', lightning: 'F-150 Lightning',
    mache: 'Mustang Mach-E', stang: 'Mustang',
  },
  GMC: { '1500': 'Sierra 1500', '2500': 'Sierra 2500HD', sierra: 'Sierra 1500', sierra2500: 'Sierra 2500HD', sierra3500: 'Sierra 3500HD' },
  Jeep: { jk: 'Wrangler', jl: 'Wrangler' },
  Lexus: { es350: 'ES', gx460: 'GX', is250: 'IS', is350: 'IS', nx300: 'NX', rx350: 'RX' },
  Mazda: { mazda3: '3', mazda6: '6', miata: 'MX-5 Miata', mx5: 'MX-5 Miata' },
  'Mercedes-Benz': {
    c300: 'C-Class', e350: 'E-Class', glc300: 'GLC', gle350: 'GLE', gwagon: 'G-Class', s550: 'S-Class', s580: 'S-Class',
  },
  Ram: { ram1500: '1500', ram2500: '2500', ram3500: '3500' },
  Toyota: { rav: 'RAV4', taco: 'Tacoma' },
  Volkswagen: { gti: 'Golf GTI' },
} // oxfmt-ignore

/** Names that count as models only after their make: numbers, names of one or two letters, and common words. */
const needsMake: ReadonlySet<string> = new Set(
  '150 250 350 2 3 6 86 200 300 330 500 718 911 1500 2500 3500 accent caravan clarity compass element escape express fit flex focus insight integra journey kicks leaf legacy liberty matrix metris mirage note passport patriot pilot quest rav regal spark titan transit venue voyager volt'.split(' '),
) // oxfmt-ignore

export interface KnownName extends NamedModel {
  behindMake: boolean
}

function nameIndex(): Map<string, KnownName[]> {
  const index = new Map<string, KnownName[]>()
  const add = (key: string, named: NamedModel) => {
    const isShort = key.length <= 2 && !/\p{L}\p{N}/u.test(key)
    const behindMake = isShort || needsMake.has(key)
    index.set(key, [...(index.get(key) ?? []), { ...named, behindMake }])
  }
  for (const named of knownModels) {
    add(keyOf(named.model), named)
    for (const [key, model] of Object.entries(modelNicknames[named.make] ?? {}))
      if (model === named.model) add(key, named)
  }
  return index
}

export const modelsByKey: ReadonlyMap<string, readonly KnownName[]> = nameIndex()

/**
 * Cities, each with one of its postal codes. `~` marks a city that shares its name with a make or model, so only the words around the name
 * show whether it is a place.
 */
const cities =
  'Birmingham AL 35203|Huntsville AL 35801|Mobile AL 36602|Montgomery AL 36104|Anchorage AK 99501|Mesa AZ 85201|Phoenix AZ 85004|Scottsdale AZ 85251|~Tucson AZ 85701|Little Rock AR 72201|Bakersfield CA 93301|Fresno CA 93721|Long Beach CA 90802|Los Angeles CA 90012|Oakland CA 94607|Riverside CA 92501|Sacramento CA 95814|San Diego CA 92101|San Francisco CA 94103|San Jose CA 95113|Stockton CA 95202|~Aurora CO 80012|Colorado Springs CO 80903|Denver CO 80202|Hartford CT 06103|Jacksonville FL 32202|Miami FL 33125|Orlando FL 32801|Tallahassee FL 32301|Tampa FL 33602|Atlanta GA 30303|Augusta GA 30901|Savannah GA 31401|Honolulu HI 96813|Boise ID 83702|Chicago IL 60607|Peoria IL 61602|Fort Wayne IN 46802|Indianapolis IN 46204|Des Moines IA 50309|Wichita KS 67202|Lexington KY 40507|Louisville KY 40202|Baton Rouge LA 70801|New Orleans LA 70112|Shreveport LA 71101|Baltimore MD 21202|Boston MA 02108|Worcester MA 01608|Detroit MI 48226|Grand Rapids MI 49503|Duluth MN 55802|Minneapolis MN 55401|St. Paul MN 55101|Jackson MS 39201|Kansas City MO 64108|Springfield MO 65802|St. Louis MO 63103|Billings MT 59101|~Lincoln NE 68508|Omaha NE 68102|Las Vegas NV 89101|Reno NV 89501|Manchester NH 03101|Newark NJ 07102|Albuquerque NM 87102|~Santa Fe NM 87501|Albany NY 12207|Buffalo NY 14202|New York NY 10001|Rochester NY 14604|Syracuse NY 13202|Charlotte NC 28202|Greensboro NC 27401|Raleigh NC 27601|Fargo ND 58102|Cincinnati OH 45202|Cleveland OH 44114|Columbus OH 43215|Toledo OH 43604|Oklahoma City OK 73102|Tulsa OK 74103|Portland OR 97209|Allentown PA 18101|Philadelphia PA 19103|Pittsburgh PA 15222|Providence RI 02903|Charleston SC 29401|Columbia SC 29201|Greenville SC 29601|Sioux Falls SD 57104|Knoxville TN 37902|Memphis TN 38103|Nashville TN 37203|Amarillo TX 79101|Arlington TX 76010|Austin TX 78701|Dallas TX 75201|El Paso TX 79901|Fort Worth TX 76102|Houston TX 77002|Lubbock TX 79401|San Antonio TX 78205|Salt Lake City UT 84101|Norfolk VA 23510|Richmond VA 23219|Virginia Beach VA 23451|Seattle WA 98104|Spokane WA 99201|~Tacoma WA 98402|Madison WI 53703|Milwaukee WI 53202|Toronto ON M5H|Ottawa ON K1P|London ON N6B|Vancouver BC V5Y|Calgary AB T2P|Edmonton AB T5J|Saskatoon SK S7K|Winnipeg MB R3B|Montreal QC H2Y|Halifax NS B3J' // oxfmt-ignore

export interface City {
  city: string
  state: string
  code: string
  isAlsoCar: boolean
}

export const knownCities: readonly City[] = cities.split('|').map((line) => {
  const [code = '', state = '', ...name] = line.replace('~', '').split(' ').toReversed()
  return { city: name.toReversed().join(' '), state, code, isAlsoCar: line.startsWith('~') }
})
