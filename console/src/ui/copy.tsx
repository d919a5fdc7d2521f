import { useState } from 'react'
import { useTexts } from '../texts/catalog.ts'
import { Button } from './button.tsx'

/** Copies a text and says so. `label` names what is copied, for screen readers. */
export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const t = useTexts('common')
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <Button kind="quiet" onPress={() => void copy()} aria-label={`${isCopied ? t.copied : t.copy}: ${label}`}>
      {isCopied ? t.copied : t.copy}
    </Button>
  )
}

export const Copyable = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <span className="copyable">
    <span className="mono">{text}</span>
    <CopyButton text={text} label={label} />
  </span>
)
