import { show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import t from 'tap'
import { ContactForm } from '#client/features/site/contact-form.tsx'
import { ContactMessage } from '#shared/schemas/site.ts'
import { fakeNetwork } from '#tests/support/network.ts'

t.test('accepts as much text as the server', (t) => {
  fakeNetwork(t)
  show(t, <ContactForm toasts={false} />)
  const { name, company, message } = ContactMessage.properties
  t.same(
    [/^Name/, /^Company/, /^Message/].map((label) => screen.getByLabelText<HTMLInputElement>(label).maxLength),
    [name, company, message].map((field): unknown => Reflect.get(field, 'maxLength')),
  )
  t.end()
})
