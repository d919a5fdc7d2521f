import { type RefObject, useEffect, useRef, useState } from 'react'
import { Input, SearchField } from 'react-aria-components'
import { useTexts } from '../../texts/catalog.ts'

const typingMs = 250
const longest = 200

export const SearchInput = ({
  label,
  hint,
  value,
  onChange,
  onDown,
}: {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly onChange: (text: string | undefined) => void
  /** Called for the arrow key that leads to the list below. */
  readonly onDown?: () => void
}) => {
  const { lists } = useTexts('common')
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef(value)
  // The address changed without typing: by the back button, a link, or the button that clears.
  if (value !== sent.current) {
    sent.current = value
    setText(value)
  }
  useSlashKey(input)
  useEffect(() => {
    if (text.trim() === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = text.trim()
      onChange(text.trim() === '' ? undefined : text.trim())
    }, typingMs)
    return () => clearTimeout(timer)
  })
  return (
    <SearchField
      className="search"
      aria-label={label}
      value={text}
      onChange={setText}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown' && onDown !== undefined) onDown()
        else event.continuePropagation()
      }}
    >
      <Input ref={input} maxLength={longest} placeholder={hint} />
      {text === '' && (
        <kbd aria-hidden="true" title={lists.searchKey}>
          /
        </kbd>
      )}
    </SearchField>
  )
}

/** The key `/` moves to the search, except while somebody types. */
const useSlashKey = (input: RefObject<HTMLInputElement | null>): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      const isTyping =
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [input])
}
