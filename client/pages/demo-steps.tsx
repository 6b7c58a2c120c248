import { openPostInventory } from '#client/app/post-inventory.ts'
import { DemoStrip } from '#client/features/demo/demo-strip.tsx'
import { openChatWith } from '#client/features/messaging/open-chat-with.ts'

export function DemoStepsStrip() {
  return <DemoStrip onChat={(dealerId) => void openChatWith(dealerId)} onPost={openPostInventory} />
}
