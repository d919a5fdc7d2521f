import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Paper } from '../../../ui/paper.tsx'
import { Problem } from '../../../ui/problem.tsx'
import type { Entry } from './entry.ts'

/** Shows a checked file as its receiver will see it. */
export const PaperButton = ({ entry: { name, number, hash, bytes } }: { readonly entry: Entry }) => {
  const t = useTexts('files')
  const about = number ?? name
  if (bytes === undefined) return null
  return (
    <Dialog
      title={about}
      trigger={
        <Button>
          {t.paper} <span className="hidden-visually">{about}</span>
        </Button>
      }
    >
      {() => <Page about={about} hash={hash} bytes={bytes} />}
    </Dialog>
  )
}

const Page = ({
  about,
  hash,
  bytes,
}: Pick<Entry, 'hash'> & { readonly about: string; readonly bytes: Blob }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ['paper', hash],
    async queryFn({ signal }) {
      const document = new Blob([bytes], { type: 'application/json' })
      return await (await api.renderCertificate({ query: { type: 'html' }, document, signal })).text()
    },
  })
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  return data === undefined ? null : <Paper html={data} label={about} />
}
