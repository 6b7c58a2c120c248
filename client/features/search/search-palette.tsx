import Search from 'lucide-react/icons/search'
import { useEffect, useState, type ReactNode, useRef } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Kbd } from '#client/ui/kbd.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import { searchMax } from '#shared/constants/search.ts'
import { SearchList, type SearchListProps, useSearchList } from './search-list.tsx'
import * as Radix from '@radix-ui/react-dialog'
import { useCloseOnBack } from '#client/ui/close-on-back.ts'
import { useModalFocus } from '#client/ui/modal-focus.ts'

interface SearchPaletteProps extends Omit<SearchListProps, 'text' | 'vehicles' | 'feedFirst'> {
  initial: string
  vehicles?: SearchListProps['vehicles']
  onTyped?: (typed: string) => void
  onShowKeys: () => void
}

/** The search dialog for phones, and for pages whose top bar has no search field. */
export function SearchPalette({ initial, vehicles, onTyped, onShowKeys, ...sources }: SearchPaletteProps) {
  const [text, setText] = useState(initial)
  const list = useSearchList({ text, vehicles, ...sources })
  const { id, typed, index, optionId, isWaiting } = list
  useEffect(() => onTyped?.(typed), [onTyped, typed])
  return (
    <SearchDialog title="Search everything" onClose={sources.onClose}>
      <form
        role="search"
        onSubmit={(event) => event.preventDefault()}
        className="flex h-14 flex-none items-center gap-3 border-b border-line pr-3 pl-5 max-md:pr-1 max-md:pl-4"
      >
        <Search size={18} aria-hidden="true" className="flex-none text-ink-3" />
        <input
          role="combobox"
          aria-label="Search dealers, vehicles, VINs"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={optionId(index)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={searchMax}
          placeholder="Dealers, vehicles, VINs, deals, chats"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={list.press}
          className="h-full min-w-0 flex-1 bg-transparent text-md outline-none"
        />
        {isWaiting ? <Spinner size={16} className="text-ink-3" /> : null}
        <span aria-hidden="true" className="max-md:hidden">
          <Kbd>Esc</Kbd>
        </span>
        <Button variant="ghost" onClick={sources.onClose} className="md:hidden">
          Cancel
        </Button>
      </form>
      <SearchList list={list} />
      <SearchFooter onShowKeys={onShowKeys} />
    </SearchDialog>
  )
}

export function SearchFooter({ onShowKeys }: { onShowKeys: () => void }) {
  return (
    <div className="flex flex-none items-center gap-4 border-t border-line px-4 py-2 text-xs text-ink-2 max-md:hidden">
      <span className="flex items-center gap-1">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd> to choose
      </span>
      <span className="flex items-center gap-1">
        <Kbd>Enter</Kbd> to open
      </span>
      <Button variant="ghost" size="sm" className="ml-auto text-xs" onClick={onShowKeys}>
        All shortcuts
      </Button>
    </div>
  )
}

interface SearchDialogProps {
  title: string
  onClose: () => void
  children: ReactNode
}

function SearchDialog({ title, onClose, children }: SearchDialogProps) {
  const panel = useRef<HTMLDivElement>(null)
  const focus = useModalFocus()
  useCloseOnBack({ open: true, panel, onBack: onClose })
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Radix.Content
          ref={panel}
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-0 top-0 z-60 mx-auto flex w-full animate-dialog flex-col overflow-clip bg-raised shadow-3 focus:outline-none max-md:h-dvh max-md:pb-[env(safe-area-inset-bottom)] md:top-[min(6rem,8dvh)] md:max-h-[min(40rem,84dvh)] md:max-w-[40rem] md:rounded-md"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
