import { show } from '#tests/support/screen.tsx'
import { useState } from 'react'
import t from 'tap'
import { PasswordField } from '#client/ui/password-field.tsx'
import { fill, textIn } from '#tests/support/controls.ts'

function Field() {
  const [password, setPassword] = useState('')
  return <PasswordField label="Password" kind="new" value={password} onChange={setPassword} />
}

t.test('normalizes a password however the keyboard composes its letters', async (t) => {
  const composed = 'très discret'.normalize('NFC')
  show(t, <Field />)
  fill(/^Password/, composed.normalize('NFD'))
  t.equal(textIn(/^Password/), composed)
})
