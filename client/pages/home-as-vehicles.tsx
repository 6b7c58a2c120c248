import { optionOf, usePhrase } from '#client/features/find/phrase/use-phrase.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'

/** Offers a link to Find if the text can be understood as a search for vehicles. */
export function AsVehicles({ text }: { text: string }) {
  const phrase = usePhrase(text)
  if (!phrase) return null
  const { href, label } = optionOf(phrase)
  return <ButtonLink href={href}>{label}</ButtonLink>
}
