import {
  bodies,
  drives,
  fuels,
  traitNumber,
  wordKey,
  type Body,
  type Drive,
  type Fuel,
} from '#shared/vehicle-traits.ts'

type Shared = `${Body}${'' | ` ${Drive}`}${'' | ` ${Fuel}`}`

/** Models by the traits that all their years and trims share. The body comes first. */
const byShared: Partial<Record<Shared, Readonly<Record<string, string>>>> = {
  pickup: {
    Ford: 'F-150,F-250,F-350,F-450,Ranger,Maverick',
    Chevrolet: 'Silverado 1500,Silverado 2500HD,Silverado 3500HD,Colorado,Avalanche',
    GMC: 'Sierra 1500,Sierra 2500HD,Sierra 3500HD,Canyon',
    Ram: '1500,2500,3500,1500 Classic',
    Toyota: 'Tacoma,Tundra',
    Nissan: 'Frontier,Titan,Titan XD',
    Jeep: 'Gladiator',
    Hyundai: 'Santa Cruz',
  },
  'pickup awd': { Honda: 'Ridgeline' },
  'pickup electric': { Rivian: 'R1T', Tesla: 'Cybertruck' },
  suv: {
    Ford: 'Explorer,Escape,Edge,Expedition,Expedition Max,Bronco Sport,EcoSport,Flex',
    Chevrolet: 'Tahoe,Suburban,Equinox,Trax,TrailBlazer',
    GMC: 'Yukon,Yukon XL,Terrain',
    Jeep: 'Grand Cherokee,Grand Cherokee L,Cherokee,Compass,Renegade,Wagoneer,Grand Wagoneer',
    Dodge: 'Durango,Journey,Hornet',
    Toyota: 'RAV4,Highlander,Grand Highlander,4Runner,Sequoia,C-HR,Corolla Cross,Venza',
    Honda: 'CR-V,Pilot,Passport,HR-V',
    Nissan: 'Rogue,Rogue Sport,Pathfinder,Murano,Kicks',
    Hyundai: 'Tucson,Santa Fe,Palisade,Kona,Venue',
    Kia: 'Telluride,Sorento,Sportage,Seltos,Niro',
    Mazda: 'CX-5,CX-30,CX-3,CX-90',
    Volkswagen: 'Tiguan,Taos',
    BMW: 'X1,X3,X5,X7',
    'Mercedes-Benz': 'GLA,GLB,GLC,GLE,GLS',
    Audi: 'Q3,Q5,Q7,Q8',
    Lexus: 'RX,NX,UX,GX,LX,TX',
    Infiniti: 'QX50,QX60,QX80',
    Lincoln: 'Nautilus,Corsair,Aviator,Navigator',
    Volvo: 'XC40,XC60,XC90',
    Mitsubishi: 'Outlander,Outlander Sport,Eclipse Cross',
  },
  'suv gas': {
    Chevrolet: 'Traverse,Blazer',
    GMC: 'Acadia',
    Buick: 'Enclave,Encore,Encore GX,Envision',
    Cadillac: 'XT4,XT5,XT6',
    Mazda: 'CX-9,CX-50',
    Volkswagen: 'Atlas,Atlas Cross Sport',
    Acura: 'RDX',
    Kia: 'Soul',
  },
  'suv awd': { Subaru: 'Outback,Forester,Crosstrek,Ascent', Acura: 'ZDX' },
  'suv 4wd': { Jeep: 'Wrangler', Ford: 'Bronco', Toyota: 'Land Cruiser' },
  'suv electric': {
    Tesla: 'Model Y,Model X',
    Ford: 'Mustang Mach-E',
    Hyundai: 'Ioniq 5',
    Kia: 'EV6,EV9',
    Volkswagen: 'ID.4',
    Rivian: 'R1S',
  },
  sedan: {
    Toyota: 'Camry,Corolla,Avalon,Crown',
    Honda: 'Insight',
    Nissan: 'Altima,Maxima',
    Hyundai: 'Sonata,Elantra,Accent',
    Kia: 'K5,Forte,Optima,Rio,Stinger',
    Mazda: 'Mazda6',
    BMW: '5 Series,7 Series',
    'Mercedes-Benz': 'E-Class,S-Class',
    Audi: 'A3,A6,A8',
    Lexus: 'ES,IS,LS',
    Acura: 'TLX,ILX',
    Infiniti: 'Q50',
    Cadillac: 'CT4,CT5,CT6',
    Lincoln: 'MKZ,Continental',
    Volvo: 'S60,S90',
    Genesis: 'G70,G80,G90',
    Chrysler: '300',
    Subaru: 'Legacy',
    Ford: 'Fusion,Taurus',
    Dodge: 'Charger',
    Chevrolet: 'Impala',
  },
  'sedan fwd': { Honda: 'Accord', Chevrolet: 'Malibu', Volkswagen: 'Passat' },
  'sedan fwd gas': { Nissan: 'Sentra,Versa' },
  'sedan electric': { Tesla: 'Model 3,Model S' },
  'coupe rwd gas': { Chevrolet: 'Corvette' },
  'coupe gas': { Dodge: 'Challenger' },
  hatchback: { Volkswagen: 'Golf,GTI', Honda: 'Fit', Chevrolet: 'Spark', Ford: 'Fiesta' },
  'hatchback electric': { Nissan: 'Leaf', Chevrolet: 'Bolt EV' },
  van: {
    Ford: 'Transit,Transit Connect,E-Series',
    Chrysler: 'Pacifica,Voyager',
    Ram: 'ProMaster,ProMaster City',
    Chevrolet: 'Express',
    GMC: 'Savana',
    Nissan: 'NV200',
    'Mercedes-Benz': 'Sprinter,Metris',
    Toyota: 'Sienna',
  },
  'van fwd gas': { Honda: 'Odyssey', Dodge: 'Grand Caravan' },
}

type Known = `${Drive}${'' | ` ${Fuel}`}`

/** VIN prefixes as published by the manufacturers. The last of their five to eight characters encode drive and engine. */
const byVin: Partial<Record<Known, string>> = {
  '4wd':
    '1FTFW1E 1FTEW1E 1FTEX1E 1FTFX1E 1FT7W2B 1FT8W3B 1GCGT 1C6SR 1C6RR7 3C6UR5 3TMCZ 3TMDZ 5TFDY 1N6AD0E 3GTU9 3GCUY',
  '4wd gas':
    '1FTFW1E5 1FTEW1EP 1FMSK8 3FMCR9 1FMJU2 1FMJK2 3GCUYDED 1GNSKNKD 1GNSKCKD 1GCGTCEN 3GTU9DED 1GKS2BKD 1C6SRFFT 1C4HJXEN 1C4RJFBG 1C4PJM 3C4NJD 3TMCZ5AN 5TFDY5F1 JTEBU 5N1DR3BC 1N6ED1EK 1GYS4BKJ 5LMJJ2',
  '4wd diesel': '1FT7W2BT 3C6UR5DL',
  rwd: '1FTEW1C 1FTEX1C 1FTFX1C 1C6RR6 1GCGS 1GNSC 1GKS1 1GYS3 1C4RJE',
  'rwd gas': '1FA6P8CF 1FA6P8TH 1FTBR1Y8 1G1FB1RS 1G1FH1 2C3CDXHG 2C3CDXBG 2C3CDZAG WBA5R1',
  'rwd electric': '5YJ3E1EA',
  'awd gas':
    '1FMCU9G6 2FMPK4 3GNAXU 3GNKBH 1GKKNU 2T3P1R 5TDGZRBH 2HKRW2 5FNYF6 3CZRU6 5N1AT2MV KNDPMCAC KM8J3CA4 5NMS3CAD KM8R4D 5XYP5D 4S4BT JF2SK JF2GT JM3KFB JM3TCB 5UXCR6 5UXTY5 55SWF8EB WDC0G8EB 4JGFB4KB WA1BNAFY WAUENAF4 2T2HZMAA 5J8YD4H3 5J8TC2 YV4A22PK JA4J4UA8',
  'awd electric': '5YJ3E1EB 7SAYGDEE',
  'fwd gas':
    '1FMCU0 2FMPK3 1GNERG 3GNAXK 3GKALM 1G1ZD5ST 4T1G11AK 4T1B11HK 2T1BURHE 5YFEPMAE 2T3W1R 2HKRW1 5FNYF5 3CZRU5 1HGCV1 2HGFC2 5FNRL6 1N4BL4B 3N1AB8 5NPD84 5XXG14 KNDJ23 5XYRL4LC 1GYKNCRS 1V2WR2CA 3VWC57 3VV3B7 58AGZ1B1 5J8YD3 5J8TC1 5GAERB 2C4RC1 KNDPM3',
  'fwd hybrid': '5TDYRKEC',
}

type Traits = [body: number, drive: number, fuel: number]

function traitsOf(words: string): Traits {
  const numberIn = (list: readonly string[]) => Math.max(0, ...words.split(' ').map((word) => traitNumber(list, word)))
  return [numberIn(bodies), numberIn(drives), numberIn(fuels)]
}

/** Returns the traits for `refresh_find`, by `<make key> <model key>` and by VIN prefix. */
export function modelTraits(): { models: Record<string, Traits>; vins: Record<string, Traits> } {
  const models = Object.entries(byShared).flatMap(([shared, makes]) =>
    Object.entries(makes).flatMap(([make, names]) =>
      names.split(',').map((model) => [`${wordKey(make)} ${wordKey(model)}`, traitsOf(shared)] as const),
    ),
  )
  const vins = Object.entries(byVin).flatMap(([known, starts]) =>
    starts.split(' ').map((start) => [start, traitsOf(known)] as const),
  )
  return { models: Object.fromEntries([...models, ...ofMore]), vins: Object.fromEntries(vins) }
}

/** Models with several bodies, and their default body. The trim or title may name a different body. */
const ofMore = Object.entries({
  'ford mustang': 'coupe rwd gas',
  'chevrolet camaro': 'coupe rwd gas',
  'honda civic': 'sedan fwd',
  'volkswagen jetta': 'sedan fwd',
  'bmw 3series': 'sedan',
  'mercedesbenz cclass': 'sedan',
  'audi a4': 'sedan',
  'toyota prius': 'hatchback',
  'subaru impreza': 'sedan awd gas',
  'subaru wrx': 'sedan awd gas',
  'mazda mazda3': 'sedan',
  'cadillac escalade': 'suv',
  'acura mdx': 'suv',
}).map(([key, words]) => [key, traitsOf(words)] as const)
