import type { ReactNode } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../button.tsx'
import { Empty } from '../screen.tsx'

export const Nothing = ({
  isNarrowed,
  onReset,
  children,
}: {
  /** False if the list is empty even without filters. */
  readonly isNarrowed: boolean
  readonly onReset: () => void
  /** Shown if the list is empty even without filters. */
  readonly children: ReactNode
}) => {
  const { lists } = useTexts('common')
  if (!isNarrowed) return children
  return (
    <Empty title={lists.nothing}>
      <p>{lists.nothingText}</p>
      <Button onPress={onReset}>{lists.clear}</Button>
    </Empty>
  )
}
