import type { BodyStyle } from './photos/shape-choice.ts'

/** A North American model with its price, years and VIN prefix. */
export interface VehicleModel {
  make: string
  model: string
  body: BodyStyle
  listPrice: number
  from: number
  to: number
  /** The first eight characters of the VIN: manufacturer and vehicle descriptor. */
  vinPrefix: string
  trims: readonly string[]
  weight: number
}

type Row = readonly [string, string, BodyStyle, number, number, number, string, string, number]

const rows: readonly Row[] = [
  ['Ford', 'F-150', 'pickup', 42000, 2015, 2026, '1FTFW1E5', 'XL,XLT,Lariat,King Ranch,Platinum', 9],
  ['Ford', 'F-150', 'pickup', 40000, 2015, 2026, '1FTEW1EP', 'XL,XLT,STX,Lariat', 5],
  ['Ford', 'F-250', 'pickup', 48000, 2017, 2026, '1FT7W2BT', 'XL,XLT,Lariat,Platinum', 4],
  ['Ford', 'Explorer', 'suv', 39000, 2020, 2026, '1FMSK8DH', 'Base,XLT,Limited,ST', 5],
  ['Ford', 'Escape', 'crossover', 29500, 2013, 2026, '1FMCU9G6', 'S,SE,SEL,Titanium', 6],
  ['Ford', 'Edge', 'crossover', 37000, 2015, 2024, '2FMPK4J9', 'SE,SEL,ST-Line,Titanium', 3],
  ['Ford', 'Mustang', 'coupe', 32000, 2015, 2026, '1FA6P8CF', 'EcoBoost,GT,GT Premium', 4],
  ['Ford', 'Transit', 'van', 47000, 2015, 2026, '1FTBR1Y8', 'Base,High Roof,Medium Roof', 3],
  ['Ford', 'Bronco Sport', 'crossover', 31000, 2021, 2026, '3FMCR9B6', 'Base,Big Bend,Outer Banks,Badlands', 3],
  ['Ford', 'Expedition', 'suv', 60000, 2018, 2026, '1FMJU2AT', 'XLT,Limited,King Ranch,Platinum', 3],
  ['Chevrolet', 'Silverado 1500', 'pickup', 41000, 2019, 2026, '3GCUYDED', 'WT,Custom,LT,RST,LTZ,High Country', 8],
  ['Chevrolet', 'Tahoe', 'suv', 58000, 2015, 2026, '1GNSKNKD', 'LS,LT,RST,Z71,Premier', 4],
  ['Chevrolet', 'Suburban', 'suv', 61000, 2015, 2026, '1GNSKCKD', 'LS,LT,RST,Premier', 2],
  ['Chevrolet', 'Equinox', 'crossover', 28500, 2018, 2026, '3GNAXUEV', 'LS,LT,RS,Premier', 6],
  ['Chevrolet', 'Traverse', 'suv', 37000, 2018, 2026, '1GNERGKW', 'LS,LT,RS,Premier', 4],
  ['Chevrolet', 'Malibu', 'sedan', 25500, 2016, 2025, '1G1ZD5ST', 'LS,RS,LT,Premier', 4],
  ['Chevrolet', 'Colorado', 'pickup', 32000, 2015, 2026, '1GCGTCEN', 'WT,LT,Z71,ZR2', 3],
  ['Chevrolet', 'Camaro', 'coupe', 31000, 2016, 2024, '1G1FB1RS', 'LS,LT,SS', 2],
  ['Chevrolet', 'Blazer', 'crossover', 36000, 2019, 2026, '3GNKBHR4', 'LT,RS,Premier', 2],
  ['GMC', 'Sierra 1500', 'pickup', 43500, 2019, 2026, '3GTU9DED', 'Pro,SLE,Elevation,SLT,AT4,Denali', 5],
  ['GMC', 'Yukon', 'suv', 62000, 2015, 2026, '1GKS2BKD', 'SLE,SLT,AT4,Denali', 3],
  ['GMC', 'Terrain', 'crossover', 30000, 2018, 2026, '3GKALMEV', 'SLE,SLT,AT4,Denali', 3],
  ['GMC', 'Acadia', 'suv', 38000, 2017, 2026, '1GKKNULS', 'SLE,SLT,AT4,Denali', 2],
  ['Ram', '1500', 'pickup', 42000, 2019, 2026, '1C6SRFFT', 'Tradesman,Big Horn,Laramie,Rebel,Limited', 7],
  ['Ram', '2500', 'pickup', 50000, 2019, 2026, '3C6UR5DL', 'Tradesman,Big Horn,Laramie,Limited', 3],
  ['Jeep', 'Wrangler', 'suv', 35000, 2018, 2026, '1C4HJXEN', 'Sport,Sport S,Sahara,Rubicon', 5],
  ['Jeep', 'Grand Cherokee', 'suv', 40000, 2014, 2022, '1C4RJFBG', 'Laredo,Altitude,Limited,Overland', 5],
  ['Jeep', 'Cherokee', 'crossover', 33000, 2014, 2023, '1C4PJMCB', 'Latitude,Latitude Lux,Trailhawk,Limited', 3],
  ['Jeep', 'Compass', 'crossover', 28500, 2017, 2026, '3C4NJDBB', 'Sport,Latitude,Limited,Trailhawk', 3],
  ['Dodge', 'Charger', 'sedan', 34000, 2015, 2023, '2C3CDXHG', 'SXT,GT,R/T,Scat Pack', 4],
  ['Dodge', 'Challenger', 'coupe', 33000, 2015, 2023, '2C3CDZAG', 'SXT,GT,R/T,Scat Pack', 3],
  ['Chrysler', 'Pacifica', 'van', 40000, 2017, 2026, '2C4RC1BG', 'Touring,Touring L,Limited,Pinnacle', 3],
  ['Toyota', 'Camry', 'sedan', 27500, 2020, 2026, '4T1G11AK', 'LE,SE,XLE,XSE', 7],
  ['Toyota', 'Camry', 'sedan', 26500, 2018, 2019, '4T1B11HK', 'L,LE,SE,XLE', 4],
  ['Toyota', 'Corolla', 'sedan', 22500, 2014, 2019, '2T1BURHE', 'L,LE,S,SE', 4],
  ['Toyota', 'Corolla', 'sedan', 23000, 2020, 2026, '5YFEPMAE', 'L,LE,SE,XSE', 5],
  ['Toyota', 'RAV4', 'crossover', 30000, 2019, 2026, '2T3P1RFV', 'LE,XLE,XLE Premium,Adventure,Limited', 7],
  ['Toyota', 'Highlander', 'suv', 39500, 2020, 2026, '5TDGZRBH', 'L,LE,XLE,Limited,Platinum', 4],
  ['Toyota', 'Tacoma', 'pickup', 33000, 2016, 2023, '3TMCZ5AN', 'SR,SR5,TRD Sport,TRD Off-Road,Limited', 5],
  ['Toyota', 'Tundra', 'pickup', 43000, 2014, 2021, '5TFDY5F1', 'SR,SR5,Limited,1794,Platinum', 3],
  ['Toyota', '4Runner', 'suv', 41500, 2012, 2024, 'JTEBU5JR', 'SR5,TRD Off-Road,Limited,TRD Pro', 4],
  ['Toyota', 'Sienna', 'van', 39000, 2021, 2026, '5TDYRKEC', 'LE,XLE,XSE,Limited', 2],
  ['Honda', 'Accord', 'sedan', 28500, 2018, 2022, '1HGCV1F3', 'LX,Sport,EX,EX-L,Touring', 6],
  ['Honda', 'Civic', 'sedan', 24500, 2016, 2021, '2HGFC2F6', 'LX,Sport,EX,Touring', 6],
  ['Honda', 'CR-V', 'crossover', 31000, 2017, 2026, '2HKRW2H5', 'LX,EX,EX-L,Touring', 7],
  ['Honda', 'Pilot', 'suv', 40500, 2016, 2022, '5FNYF6H5', 'LX,EX,EX-L,Touring,Black Edition', 4],
  ['Honda', 'Odyssey', 'van', 39000, 2018, 2026, '5FNRL6H7', 'LX,EX,EX-L,Touring,Elite', 3],
  ['Honda', 'HR-V', 'crossover', 25500, 2016, 2022, '3CZRU6H3', 'LX,Sport,EX,EX-L', 3],
  ['Nissan', 'Altima', 'sedan', 27000, 2019, 2026, '1N4BL4BV', 'S,SV,SR,SL', 5],
  ['Nissan', 'Rogue', 'crossover', 29500, 2014, 2020, '5N1AT2MV', 'S,SV,SL', 5],
  ['Nissan', 'Sentra', 'sedan', 21500, 2020, 2026, '3N1AB8CV', 'S,SV,SR', 4],
  ['Nissan', 'Pathfinder', 'suv', 38000, 2022, 2026, '5N1DR3BC', 'S,SV,SL,Rock Creek', 2],
  ['Nissan', 'Frontier', 'pickup', 33000, 2022, 2026, '1N6ED1EK', 'S,SV,PRO-4X', 2],
  ['Hyundai', 'Tucson', 'crossover', 28500, 2016, 2021, 'KM8J3CA4', 'SE,SEL,Limited', 4],
  ['Hyundai', 'Santa Fe', 'crossover', 33500, 2019, 2023, '5NMS3CAD', 'SE,SEL,Limited,Calligraphy', 3],
  ['Hyundai', 'Elantra', 'sedan', 21500, 2017, 2020, '5NPD84LF', 'SE,SEL,Value Edition,Limited', 4],
  ['Hyundai', 'Palisade', 'suv', 38000, 2020, 2026, 'KM8R4DHE', 'SE,SEL,Limited,Calligraphy', 2],
  ['Kia', 'Telluride', 'suv', 38000, 2020, 2026, '5XYP5DHC', 'LX,S,EX,SX', 3],
  ['Kia', 'Sorento', 'crossover', 33000, 2021, 2026, '5XYRL4LC', 'LX,S,EX,SX', 3],
  ['Kia', 'Sportage', 'crossover', 27500, 2017, 2022, 'KNDPMCAC', 'LX,EX,SX', 3],
  ['Kia', 'K5', 'sedan', 26500, 2021, 2025, '5XXG14J2', 'LXS,GT-Line,EX,GT', 2],
  ['Kia', 'Soul', 'crossover', 21500, 2020, 2025, 'KNDJ23AU', 'LX,S,GT-Line,EX', 2],
  ['Subaru', 'Outback', 'crossover', 30500, 2020, 2025, '4S4BTANC', 'Base,Premium,Limited,Onyx XT', 4],
  ['Subaru', 'Forester', 'crossover', 29000, 2019, 2024, 'JF2SKAGC', 'Base,Premium,Sport,Limited', 4],
  ['Subaru', 'Crosstrek', 'crossover', 26000, 2018, 2023, 'JF2GTACC', 'Base,Premium,Sport,Limited', 3],
  ['Mazda', 'CX-5', 'crossover', 29500, 2017, 2025, 'JM3KFBCM', 'S,Select,Preferred,Carbon,Premium', 4],
  ['Mazda', 'CX-9', 'suv', 38000, 2016, 2023, 'JM3TCBCY', 'Sport,Touring,Grand Touring,Signature', 2],
  ['Volkswagen', 'Jetta', 'sedan', 22500, 2019, 2025, '3VWC57BU', 'S,SE,Sport,SEL', 3],
  ['Volkswagen', 'Atlas', 'suv', 38500, 2018, 2025, '1V2WR2CA', 'S,SE,SEL,SEL Premium', 2],
  ['Volkswagen', 'Tiguan', 'crossover', 29500, 2018, 2024, '3VV3B7AX', 'S,SE,SEL', 3],
  ['BMW', 'X5', 'suv', 66000, 2019, 2025, '5UXCR6C0', 'xDrive40i,sDrive40i,M50i', 3],
  ['BMW', '3 Series', 'sedan', 45500, 2019, 2025, 'WBA5R1C0', '330i,330i xDrive,M340i', 3],
  ['BMW', 'X3', 'crossover', 48000, 2018, 2024, '5UXTY5C0', 'sDrive30i,xDrive30i,M40i', 3],
  ['Mercedes-Benz', 'C-Class', 'sedan', 46500, 2015, 2021, '55SWF8EB', 'C 300,C 300 4MATIC,AMG C 43', 3],
  ['Mercedes-Benz', 'GLC', 'crossover', 49500, 2016, 2020, 'WDC0G8EB', 'GLC 300,GLC 300 4MATIC', 3],
  ['Mercedes-Benz', 'GLE', 'suv', 63000, 2020, 2025, '4JGFB4KB', 'GLE 350,GLE 350 4MATIC,GLE 450', 2],
  ['Audi', 'Q5', 'crossover', 46500, 2018, 2024, 'WA1BNAFY', 'Premium,Premium Plus,Prestige', 3],
  ['Audi', 'A4', 'sedan', 42500, 2017, 2024, 'WAUENAF4', 'Premium,Premium Plus,Prestige', 2],
  ['Lexus', 'RX', 'crossover', 50500, 2016, 2022, '2T2HZMAA', '350,350 F Sport,450h', 4],
  ['Lexus', 'ES', 'sedan', 44000, 2019, 2025, '58AGZ1B1', '350,350 F Sport,350 Ultra Luxury', 2],
  ['Acura', 'MDX', 'suv', 50000, 2014, 2020, '5J8YD4H3', 'Base,Technology,Advance', 2],
  ['Acura', 'RDX', 'crossover', 43000, 2019, 2025, '5J8TC2H5', 'Base,Technology,A-Spec,Advance', 3],
  ['Cadillac', 'Escalade', 'suv', 84000, 2015, 2025, '1GYS4BKJ', 'Base,Luxury,Premium Luxury,Platinum', 2],
  ['Cadillac', 'XT5', 'crossover', 46000, 2017, 2025, '1GYKNCRS', 'Luxury,Premium Luxury,Sport', 2],
  ['Buick', 'Enclave', 'suv', 45000, 2018, 2025, '5GAERBKW', 'Preferred,Essence,Premium,Avenir', 2],
  ['Lincoln', 'Navigator', 'suv', 84000, 2018, 2025, '5LMJJ2LT', 'Standard,Reserve,Black Label', 2],
  ['Volvo', 'XC90', 'suv', 58000, 2016, 2025, 'YV4A22PK', 'Momentum,R-Design,Inscription', 2],
  ['Tesla', 'Model 3', 'sedan', 41000, 2018, 2025, '5YJ3E1EA', 'Standard Range Plus,Long Range,Performance', 3],
  ['Tesla', 'Model Y', 'crossover', 46000, 2020, 2025, '7SAYGDEE', 'Long Range,Performance', 3],
  ['Mitsubishi', 'Outlander', 'crossover', 29000, 2022, 2025, 'JA4J4UA8', 'ES,SE,SEL', 2],
]

export const vehicleModels: readonly VehicleModel[] = rows.map(
  ([make, model, body, listPrice, from, to, vinPrefix, trims, weight]) => ({
    make,
    model,
    body,
    listPrice,
    from,
    to,
    vinPrefix,
    trims: trims.split(','),
    weight,
  }),
)
