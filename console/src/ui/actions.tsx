import type { ReactNode } from 'react'
import { useTexts } from '../texts/catalog.ts'
import { Button } from './button.tsx'

/** The buttons of a dialog or form, always at its lower end: first the way out, last the act. */
export const Actions = ({
  onCancel,
  children,
}: {
  readonly onCancel?: (() => void) | undefined
  readonly children: ReactNode
}) => {
  const t = useTexts('common')
  return (
    <div className="row actions">
      {onCancel !== undefined && <Button onPress={onCancel}>{t.cancel}</Button>}
      {children}
    </div>
  )
}
