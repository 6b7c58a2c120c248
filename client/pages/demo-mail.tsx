import { AuthFrame } from '#client/features/auth/auth-frame.tsx'
import { DemoMailList } from '#client/features/auth/demo-mail-list.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'

/** Shows the emails that the product sends, so that a demo needs no mail server. */
export function DemoMailPage() {
  useDocumentTitle('Demo email')
  return (
    <AuthFrame>
      <div className="mx-auto w-full max-w-[35rem] flex-1 py-8 max-md:-mx-4 max-md:w-auto">
        <div className="mb-4 max-md:px-4">
          <h1 className="text-lg font-semibold tracking-lg">Demo email</h1>
          <p className="text-ink-2">This demo server doesn't send email. Messages it would have sent appear here.</p>
        </div>
        <DemoMailList />
      </div>
    </AuthFrame>
  )
}
