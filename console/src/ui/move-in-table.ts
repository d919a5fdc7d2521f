import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'

/** Up, down and Enter move within the column; Enter in the last row adds a row. */
export const moveIn = (event: KeyboardEvent<HTMLElement>, onEnd: (() => void) | undefined): void => {
  const isDown = event.key === 'ArrowDown' || event.key === 'Enter'
  if (!isDown && event.key !== 'ArrowUp') return
  const cell = event.currentTarget.closest('td')
  const row = cell?.parentElement
  const step = (): HTMLInputElement | null | undefined =>
    (isDown ? row?.nextElementSibling : row?.previousElementSibling)?.children[
      cell?.cellIndex ?? 0
    ]?.querySelector('input')
  if (isDown && row?.nextElementSibling === null && event.key === 'Enter') flushSync(() => onEnd?.())
  const next = step()
  if (next === null || next === undefined) return
  event.preventDefault()
  next.focus()
  next.select()
}
