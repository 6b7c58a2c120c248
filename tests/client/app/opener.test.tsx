import { show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import t from 'tap'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Menu, MenuItem } from '#client/ui/menu.tsx'
import { press } from '#tests/support/controls.ts'
import { becomes } from '#tests/support/screen.tsx'

function Order() {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Menu trigger={<button type="button">More</button>}>
        <MenuItem onSelect={() => setAsking(true)}>End</MenuItem>
      </Menu>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="End it?"
        description="You can renew it."
        confirmLabel="End it"
        onConfirm={() => setAsking(false)}
      />
    </>
  )
}

t.test('returns focus to the menu of a dialog that opens before the menu returns it', async (t) => {
  show(t, <Order />)
  fireEvent.keyDown(await screen.findByRole('button', { name: 'More' }), { key: 'Enter' })
  const item = await screen.findByRole('menuitem', { name: 'End' })
  await becomes(t, () => document.activeElement === item, true)
  // A closed menu returns the focus in a timer, which a slow machine may run after the dialog has opened.
  const delayed: (() => void)[] = []
  const timers = t.intercept(globalThis, 'setTimeout', { value: (run: () => void) => delayed.push(run) })
  fireEvent.click(item)
  timers.restore()
  await becomes(t, () => document.activeElement?.textContent, 'Cancel')
  for (const run of delayed) run()
  t.equal(document.activeElement?.textContent, 'Cancel', 'the menu cannot take the focus')
  await press('End it')
  await becomes(t, () => screen.getByRole('button', { name: 'More' }) === document.activeElement, true)
})
