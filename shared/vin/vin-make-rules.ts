type Rule = readonly [pattern: RegExp, make: string | undefined]

/**
 * Rules for makes that share the first three characters of their VINs. The first pattern that matches decides, before any table.
 * `undefined` means that several makes are possible, so none is filled in. Source: NHTSA's vPIC data.
 */
const makeRules: readonly Rule[] = [
  // Stellantis cars and vans. A letter in position 7 means 2010 or later (49 CFR 565.15). In that case, position 5 is the brand.
  [/^[123]C3.C.[A-Z]/, 'Chrysler'],
  [/^[123]C3.D[A-Z][A-Z]/, 'Dodge'],
  [/^[123]C3.FF[A-Z]/, 'Fiat'],
  [/^[123]C3.[AK]\d[A-Z]/, 'Chrysler'],
  [/^[123]C3...\d/, 'Chrysler'],
  [/^[123]C3/, undefined],
  [/^[123]C4.C.[A-Z]/, 'Chrysler'],
  [/^[123]C4.D.[A-Z]/, 'Dodge'],
  [/^[123]C4.J.[A-Z]/, 'Jeep'],
  [/^[123]C4.R.[A-Z]/, 'Ram'],
  [/^[123]C4.V.[A-Z]/, 'Volkswagen'],
  [/^[123]C4...\d/, 'Chrysler'],
  [/^[123]C4/, undefined],
  [/^[123]C6.J/, 'Jeep'],
  [/^2C7.D/, 'Dodge'],
  [/^2C7.R/, 'Ram'],
  [/^2C7/, undefined],
  [/^Z(?:AC|FB).D/, 'Dodge'],
  [/^Z(?:AC|FB).F/, 'Fiat'],
  [/^Z(?:AC|FB).J/, 'Jeep'],
  [/^Z(?:AC|FB).R/, 'Ram'],
  [/^Z(?:AC|FB)/, undefined],
  // Infiniti, by model line. F0 followed by a digit is the Q45; F0 followed by a letter is the Nissan Ariya.
  [/^JN1(?:.(?:J0|V[567]|Y[014]|F0\d)|DA31)/, 'Infiniti'],
  [/^(?:5N1|JN8).(?:J5|L[01]|S1)/, 'Infiniti'],
  [/^JN8.Z(?:2[AB][^JS]|3)/, 'Infiniti'],
  [/^(?:5N1|JN8)(?:ZA|.Z2N)/, 'Infiniti'],
  [/^SJK.H5/, 'Infiniti'],
  [/^SJK/, undefined],
  [/^3N63M/, 'Chevrolet'],
  [/^JA4T0/, 'Nissan'],
  // Hyundai, Kia and Genesis.
  [/^5NT/, 'Hyundai'],
  [/^5NMM/, 'Genesis'],
  [/^5XY[JZ]/, 'Hyundai'],
  [/^3KPC/, 'Hyundai'],
  [/^3KMJ/, 'Hyundai'],
  [/^KNDMC.\d/, 'Hyundai'],
  // These models were sold as the Hyundai Genesis up to 2016, and as the Genesis G80 from 2017.
  [/^KMH(?:GN|G3|G5|FN)[\dA-Z]{4}[HJKL]/, 'Genesis'],
  // Toyota and its partners. The FR-S and the iM were Scions up to 2016.
  [/^5TDA.A.6/, 'Lexus'],
  [/^JF1ZN.{4}[D-G]/, 'Scion'],
  [/^JF1ZN/, 'Toyota'],
  [/^JTMABABA/, 'Subaru'],
  [/^JTMB.A.C/, 'Subaru'],
  [/^JTN[JV]/, 'Scion'],
  [/^JTNK.{5}G/, 'Scion'],
  [/^3MYDL.Z/, 'Scion'],
  // Manufacturers that build for several makes.
  [/^4S6/, 'Honda'],
  [/^WDBV[FG]7/, 'Maybach'],
  [/^3HDSA/, 'Acura'],
  [/^(?:54D|JAL).[456]/, 'Isuzu'],
  [/^(?:54D|JAL).[DEF]/, 'Chevrolet'],
  [/^54D.[PR]/, 'GMC'],
  [/^JAL.[LM]/, 'Hino'],
  [/^2CN[ADF]L/, 'Chevrolet'],
  [/^2CKDL/, 'Pontiac'],
  // NHTSA registered this identifier to a maker of trailers.
  [/^5NH/, undefined],
]

/** Returns the rule for a shared identifier. The rule's make is `undefined` if several makes are possible. */
export const makeRuleFor = (vin: string): Rule | undefined => makeRules.find(([pattern]) => pattern.test(vin))
