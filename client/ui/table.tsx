import { type ReactNode } from 'react'
import { cx } from './cx.ts'
import { useNarrow } from './screen-width.ts'

export interface Column<Row> {
  key: string
  title: string
  align?: 'left' | 'right'
  cell: (row: Row) => ReactNode
  /** Hides the column below 768 px. Use it only for data that is also in the row's details. */
  wideOnly?: boolean
  hideTitle?: boolean
}

interface TableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  selectedKey?: string
  empty?: ReactNode
  card?: (row: Row) => ReactNode
}

export function Table<Row>({ caption, columns, rows, rowKey, selectedKey, empty, card }: TableProps<Row>) {
  const narrow = useNarrow()
  if (card && narrow)
    return rows.length === 0 ? (
      empty
    ) : (
      <ul aria-label={caption} className="divide-y divide-line border-t border-line">
        {rows.map((row) => (
          <li key={rowKey(row)} className="px-4 py-3">
            {card(row)}
          </li>
        ))}
      </ul>
    )
  return (
    <div className="relative overflow-x-auto" role="region" aria-label={caption} tabIndex={0}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={cx(
                  'border-b border-line bg-sunken px-3 py-2 text-xs font-medium whitespace-nowrap text-ink-2 max-md:px-2 first:pl-4! last:pr-4!',
                  column.align === 'right' ? 'text-right' : 'text-left',
                  column.wideOnly && 'max-md:hidden',
                )}
              >
                {column.hideTitle ? <span className="sr-only">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={rowKey(row)} row={row} columns={columns} selected={rowKey(row) === selectedKey} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? empty : null}
    </div>
  )
}

function TableRow<Row>({ row, columns, selected }: { row: Row; columns: readonly Column<Row>[]; selected: boolean }) {
  return (
    <tr
      className={cx(
        'border-b border-line last:border-b-0',
        selected ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--lw-accent)]' : 'hover:bg-hover',
      )}
    >
      {columns.map((column) => (
        <td
          key={column.key}
          className={cx(
            'px-3 py-2 align-middle max-md:px-2 first:pl-4! last:pr-4!',
            column.align === 'right' && 'num text-right whitespace-nowrap',
            column.wideOnly && 'max-md:hidden',
          )}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}
