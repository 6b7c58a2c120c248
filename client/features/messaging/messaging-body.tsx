import { FileText } from 'lucide-react'
import { Fragment } from 'react'
import { Picture } from '#client/ui/picture.tsx'

interface MessageBodyProps {
  content: string
  url: string | null | undefined
  name: string | null | undefined
}

const pdf = /\.pdf$/i

/** What a message says: its picture or document, and its text. */
export function MessageBody({ content, url, name }: MessageBodyProps) {
  const label = name ?? 'Attachment'
  const isPdf = pdf.test(label)
  return (
    <>
      {url && isPdf ? (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="my-1 flex items-center gap-2 rounded-sm text-accent-ink underline"
          // A document is saved under the name that its sender gave it.
          download={label}
        >
          <FileText size={16} aria-hidden="true" className="flex-none" />
          {label}
        </a>
      ) : null}
      {url && !isPdf ? (
        <Picture
          src={url}
          alt={label}
          href={url}
          className="my-1 h-32 w-45 max-w-full rounded-sm bg-pressed object-cover group-data-[wide]:w-64"
        />
      ) : null}
      <LinkedText text={content} />
    </>
  )
}

/** Up to the next blank, without the punctuation of the sentence that it ends. */
const webAddress = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)'\]])/gi

/** Text whose web addresses can be followed. */
function LinkedText({ text }: { text: string }) {
  // Splitting by a group leaves what it matched at the odd places.
  return text.split(webAddress).map((part, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <a
        key={index}
        href={part}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="rounded-sm text-accent-ink underline underline-offset-2"
      >
        {part}
      </a>
    ),
  )
}
