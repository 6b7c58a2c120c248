import { badRequest } from '#server/errors.ts'
import { hash, verify } from '@node-rs/argon2'

/**
 * Words that stand behind most guessed passwords of twelve characters and more ("Password1234!", "qwertyuiop12").
 * Compared with the password after its case, digits, signs and usual letter swaps are taken away.
 */
const commonWords = new Set(
  `password passwordpassword passw passwort motdepasse contrasena secret secretpassword changeme changemenow letmein
  letmeinnow welcome welcomehome welcomeback iloveyou iloveyousomuch qwerty qwertyuiop qwertyuiopasdfgh qwertyqwerty
  qazwsx qazwsxedc qazwsxedcrfv qweasdzxc asdfghjkl asdfasdfasdf zxcvbnm zxcvbnmasdf admin administrator superadmin root
  rootroot toor login default guest user username test testtest testing tester demo demodemo monkey monkeymonkey dragon
  dragondragon master mastermaster football footballfootball baseball basketball sunshine sunshineday princess
  princessprincess superman supermansuperman batman batmanbatman starwars trustnoone trustno whatever whateverwhatever
  computer internet freedom abc abcd abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefghijk abcdefghijkl abcabcabcabc
  correcthorsebatterystaple lanewire lanewirelanewire lanewirepassword dealer dealerdealer dealership cardealer usedcars
  autodealer autosales wholesale auction carauction manheim chevrolet mustang mustangmustang corvette harleydavidson
  ferrari mercedes michael jennifer jordan ashley michelle charlie jessica daniel thomas hunter killer pepper
  liverpool arsenal chelsea samsung google facebook microsoft`.split(/\s+/),
)

const swaps: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
}

/** Whether a guesser would try it early: a common word dressed up, one character over and over, or a plain run. */
function isCommonPassword(password: string, email: string): boolean {
  const lower = password.toLowerCase()
  const letters = lower.replace(/[^a-z]/g, '')
  const unswapped = lower
    .replace(/[\d\W_]+$/, '')
    .replace(/[@431!05$7]/g, (sign) => swaps[sign] ?? sign)
    .replace(/[^a-z]/g, '')
  const name =
    email
      .toLowerCase()
      .split('@')[0]
      ?.replace(/[^a-z]/g, '') ?? ''
  return (
    commonWords.has(letters) ||
    commonWords.has(unswapped) ||
    (name.length > 2 && (letters === name || unswapped === name)) ||
    new Set(lower).size < 5 ||
    isRun(lower)
  )
}

/** @throws 400 with a sentence that says how to choose a better one */
export function assertGoodPassword(password: string, email: string): void {
  if (!isCommonPassword(password, email)) return
  throw badRequest('This password is too common. Choose a longer or less usual one', { fields: ['password'] })
}

const runs = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
]

function isRun(password: string): boolean {
  return runs.some((run) => run.includes(password) || [...run].toReversed().join('').includes(password))
}

/** argon2id with OWASP's first recommended parameters (19 MiB, 2 passes). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Verified against when the account is unknown, so that both refusals take the same path. */
let nobody: Promise<string> | undefined

export const hashPassword = (password: string): Promise<string> => hash(password, parameters)

/** True only when the account has a password and this is it. */
export async function checkPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const matches = await verify(stored ?? (await nobody), password)
  return matches && typeof stored === 'string'
}
