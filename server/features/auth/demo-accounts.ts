import type { AuthStatus } from '#shared/schemas/auth.ts'
import type { Config } from '#server/config/config.ts'
import type { DealershipType } from '#shared/places.ts'

/** This password is public, so a production server refuses to start in demo mode. */
export const demoPassword = 'lanewire-demo-2026'

export interface DemoPerson {
  email: string
  name: string
  dealershipName: string
  dealershipType: DealershipType
  city: string
  state: string
  phone: string
  role: 'dealer' | 'admin' | 'ops'
}

const person = (
  email: string,
  name: string,
  dealershipName: string,
  dealershipType: DealershipType,
  place: string,
  phone: string,
  role: DemoPerson['role'] = 'dealer',
): DemoPerson => {
  const [city = '', state = ''] = place.split(', ')
  return { email, name, dealershipName, dealershipType, city, state, phone, role }
}

export const danaEmail = 'dana@torresauto.example'
export const marcusEmail = 'marcus@webbbros.example'
export const adminEmail = 'admin@lanewire.example'
export const opsEmail = 'ops@lanewire.example'

/** Dealers with a fixed role in the demo. The rest of the network is generated. */
export const demoPeople: readonly DemoPerson[] = [
  person(danaEmail, 'Dana Torres', 'Torres Auto Group', 'independent', 'Dallas, TX', '(214) 555-0148'),
  person(marcusEmail, 'Marcus Webb', 'Webb Bros Auto Wholesale', 'wholesaler', 'Tulsa, OK', '(918) 555-0127'),
  person('ray@gulfcoast.example', 'Ray Okafor', 'Gulf Coast Wholesale', 'wholesaler', 'Mobile, AL', '(251) 555-0163'),
  person('elena@parkway.example', 'Elena Park', 'Parkway Motors', 'franchise', 'Aurora, CO', '(303) 555-0109'),
  person('jim@tristate.example', 'Jim Castellano', 'Tri-State Auto', 'independent', 'Toledo, OH', '(419) 555-0184'),
  person('karen@boylemotor.example', 'Karen Boyle', 'Boyle Motor Co', 'independent', 'Omaha, NE', '(402) 555-0151'),
  person('luis@herrera.example', 'Luis Herrera', 'Herrera & Sons', 'independent', 'Amarillo, TX', '(806) 555-0172'),
  person(
    'priya@lakefront.example',
    'Priya Nair',
    'Lakefront Auto Exchange',
    'independent',
    'Milwaukee, WI',
    '(414) 555-0136',
  ),
  person(
    'tom@bayoufleet.example',
    'Tom Delacroix',
    'Bayou Fleet Remarketing',
    'wholesaler',
    'Baton Rouge, LA',
    '(225) 555-0119',
  ),
  person(
    'grant@prairie.example',
    'Grant MacLeod',
    'Prairie Remarketing',
    'wholesaler',
    'Calgary, AB',
    '(403) 555-0145',
  ),
  person('amelie@rivesud.example', 'Amelie Gagnon', 'Autos Rive-Sud', 'independent', 'Longueuil, QC', '(450) 555-0190'),
  person(
    'sofia@northloop.example',
    'Sofia Lindgren',
    'North Loop Cars',
    'independent',
    'Minneapolis, MN',
    '(612) 555-0158',
  ),
  person(adminEmail, 'Avery Lane', 'Lanewire', 'independent', 'Dallas, TX', '(214) 555-0100', 'admin'),
  person(opsEmail, 'Sam Ortega', 'Lanewire', 'independent', 'Dallas, TX', '(214) 555-0101', 'ops'),
]

export const demoAccounts = [
  { role: 'dealer', email: danaEmail, password: demoPassword },
  { role: 'second dealer', email: marcusEmail, password: demoPassword },
  { role: 'admin', email: adminEmail, password: demoPassword },
  { role: 'ops', email: opsEmail, password: demoPassword },
] as const

/** Prefills the sign-in form in demo mode. */
export function sampleLogin(config: Config): AuthStatus['sampleLogin'] {
  const [first] = demoAccounts
  return config.demo && first ? { email: first.email, password: demoPassword } : null
}
