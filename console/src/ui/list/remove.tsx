import { useQueryClient } from '@tanstack/react-query'
import { useHere } from '../../shell/here.ts'
import { Button } from '../button.tsx'
import { Confirm } from '../confirm.tsx'

/** The button of a row that removes it from the company, once that is confirmed. */
export const Remove = ({
  words,
  name,
  list,
  remove,
}: {
  readonly words: {
    readonly remove: string
    readonly removeOf: (name: string) => string
    readonly removeText: (name: string) => string
  }
  /** The name of what the row shows. */
  readonly name: string
  /** The first part of the key of the queries that show it. */
  readonly list: string
  readonly remove: () => Promise<unknown>
}) => {
  const { company } = useHere()
  const queries = useQueryClient()
  return (
    <Confirm
      trigger={
        <Button kind="quiet" aria-label={words.removeOf(name)}>
          {words.remove}
        </Button>
      }
      title={words.removeOf(name)}
      consequence={words.removeText(name)}
      action={words.remove}
      onConfirm={async () => {
        await remove()
        await queries.invalidateQueries({ queryKey: [list, company] })
      }}
    />
  )
}
