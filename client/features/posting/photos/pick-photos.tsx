import ImagePlus from 'lucide-react/icons/image-plus'
import { type ReactNode, useRef } from 'react'
import { Button, type ButtonVariant } from '#client/ui/button.tsx'

interface PickPhotosProps {
  /** Accessible name of the hidden file input. */
  label: string
  variant?: ButtonVariant
  onFiles: (files: File[]) => void
  children: ReactNode
}

export function PickPhotos({ label, variant = 'secondary', onFiles, children }: PickPhotosProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label={label}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <Button variant={variant} icon={<ImagePlus size={16} />} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}
