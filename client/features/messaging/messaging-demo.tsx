import { useMutation } from '@tanstack/react-query'
import { Button } from '#client/ui/button.tsx'
import { generateChats } from './messaging.api.ts'
import { messagingStore, receiveChats } from './messaging.store.ts'

/** Chats with demo dealers who answer, so that messaging can be tried alone (spec A §2 "Messaging dock"). */
export function GenerateDemoChats() {
  const generate = useMutation({
    mutationFn: () => generateChats(messagingStore.get().dealerId),
    onSuccess: (chats) => receiveChats(chats),
    // The specification: a failure is only logged.
    onError: (error) => reportError(error),
  })
  return (
    <Button variant="primary" busy={generate.isPending} onClick={() => generate.mutate()}>
      Generate Demo Chats
    </Button>
  )
}
