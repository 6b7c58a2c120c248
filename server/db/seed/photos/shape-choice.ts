import type { ShapeName } from './body-shapes.ts'

export type BodyStyle = 'pickup' | 'sedan' | 'coupe' | 'crossover' | 'suv' | 'van'

const ofMake: Record<string, Partial<Record<BodyStyle, ShapeName>>> = {
  Acura: { crossover: 'crossover-premium', suv: 'suv-premium' },
  Audi: { sedan: 'sedan-premium', crossover: 'crossover-premium' },
  BMW: { sedan: 'sedan-premium', crossover: 'crossover-premium', suv: 'suv-premium' },
  Cadillac: { crossover: 'crossover-premium', suv: 'suv-full' },
  Dodge: { sedan: 'sedan-muscle' },
  Lexus: { sedan: 'sedan-premium', crossover: 'crossover-premium' },
  Lincoln: { suv: 'suv-full' },
  'Mercedes-Benz': { sedan: 'sedan-premium', crossover: 'crossover-premium', suv: 'suv-premium' },
  Subaru: { crossover: 'crossover-box' },
  Tesla: { sedan: 'sedan-electric', crossover: 'crossover-electric' },
  Volvo: { suv: 'suv-premium' },
}

const ofModel: Record<string, ShapeName> = {
  '4Runner': 'crossover-box',
  'Bronco Sport': 'crossover-box',
  Colorado: 'pickup-mid',
  Compass: 'crossover-box',
  Crosstrek: 'hatchback',
  Expedition: 'suv-full',
  Frontier: 'pickup-mid',
  'HR-V': 'hatchback',
  Outback: 'wagon',
  Soul: 'hatchback',
  Suburban: 'suv-full',
  Tacoma: 'pickup-mid',
  Tahoe: 'suv-full',
  Transit: 'van',
  Wrangler: 'suv-offroad',
  Yukon: 'suv-full',
}

const ofStyle: Record<BodyStyle, ShapeName> = {
  pickup: 'pickup',
  sedan: 'sedan',
  coupe: 'coupe',
  crossover: 'crossover',
  suv: 'suv-three-row',
  van: 'minivan',
}

/** Returns the outline of the model or, without one, of the make and body style, or of the body style. */
export const shapeOf = ({ make, model, body }: { make: string; model: string; body: BodyStyle }): ShapeName =>
  ofModel[model] ?? ofMake[make]?.[body] ?? ofStyle[body]
