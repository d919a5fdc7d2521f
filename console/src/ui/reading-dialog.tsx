import type { ReactNode } from 'react'
import { useTexts } from '../texts/catalog.ts'
import { Actions } from './actions.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** A dialog that only shows something. */
export const ReadingDialog = ({
  title,
  trigger,
  children,
}: {
  readonly title: string
  /** The button that opens the dialog. */
  readonly trigger: ReactNode
  readonly children: ReactNode
}) => {
  const t = useTexts('common')
  return (
    <Dialog title={title} trigger={trigger}>
      {(close) => (
        <>
          {children}
          <Actions>
            <Button onPress={close}>{t.close}</Button>
          </Actions>
        </>
      )}
    </Dialog>
  )
}
