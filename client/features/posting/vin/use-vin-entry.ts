import { useState } from 'react'
import { readTypedVin } from '#shared/vin/vin-text.ts'

/**
 * Reads what is typed or pasted into the field. A text that is too long or names two VINs leaves the field as it was; its
 * fault is shown until the field changes.
 */
export function useVinEntry(vin: string, onChange: (vin: string) => void) {
  const [refused, setRefused] = useState<{ fault: string; vin: string }>()
  const enter = (text: string) => {
    const reading = readTypedVin(text)
    setRefused('fault' in reading ? { fault: reading.fault, vin } : undefined)
    if ('vin' in reading) onChange(reading.vin)
  }
  return { fault: refused?.vin === vin ? refused.fault : undefined, enter }
}
