import { type KeyboardEvent, type RefObject, useEffect, useImperativeHandle } from 'react'
import { SearchFooter } from './search-palette.tsx'
import { SearchList, type SearchListProps, useSearchList } from './search-list.tsx'

export interface PanelHandle {
  press: (event: KeyboardEvent<HTMLInputElement>) => boolean
  isPicked: boolean
}

interface SearchPanelProps extends SearchListProps {
  handle: RefObject<PanelHandle | null>
  /** Receives the ids of the list and of its selected option, for the field's ARIA attributes. */
  onOptions: (ids: { list: string; option: string }) => void
  onShowKeys: () => void
}

export function SearchPanel({ handle, onOptions, onShowKeys, ...props }: SearchPanelProps) {
  const list = useSearchList(props)
  const { id, isPicked, press } = list
  const option = list.optionId(list.index)
  useImperativeHandle(handle, () => ({ press, isPicked }))
  useEffect(() => onOptions({ list: id, option }), [onOptions, id, option])
  return (
    // Keep the focus in the field, so that the panel stays open.
    <div
      role="presentation"
      onMouseDown={(event) => event.preventDefault()}
      className="absolute top-full left-0 z-1 mt-1 flex max-h-[min(36rem,calc(100dvh-5rem))] w-[max(100%,28rem)] flex-col overflow-clip rounded-md bg-raised shadow-2"
    >
      <SearchList list={list} />
      <SearchFooter onShowKeys={onShowKeys} />
    </div>
  )
}
