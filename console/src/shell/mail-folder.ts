import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { useHere } from './here.ts'

/** Some installations save mails instead of sending them. It is a setting, so operators ask only once. */
export const useHasMailFolder = (): boolean | undefined => {
  const { may } = useHere()
  const { data } = useQuery({
    queryKey: ['operator', 'has-mail-folder'],
    queryFn: async ({ signal }) => (await api.readStatus({ signal })).mails.transport === 'folder',
    enabled: may('listWrittenMails'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}
