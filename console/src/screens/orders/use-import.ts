import { limits } from '@millseal/contract/limits'
import { orderLineOfRow, readOrderTable } from '@millseal/contract/order-table'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'

/** Keeps the lines of a pasted or chosen table, as many at once as a call takes. */
export const useImport = () => {
  const { company } = useHere()
  const queries = useQueryClient()
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const keep = useMutation({
    mutationFn: async (text: string) => {
      const read = readOrderTable(text)
      setUnknown(read.unknown)
      const lines = read.rows.map(orderLineOfRow)
      for (let at = 0; at < lines.length; at += limits.orders.lines)
        await api.keepOrderLines({ company, body: { lines: lines.slice(at, at + limits.orders.lines) } })
      return lines.length
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['orders', company] }),
  })
  return {
    take: (text: string) => keep.mutateAsync(text).catch(() => undefined),
    kept: keep.data,
    unknown,
    error: keep.error,
  }
}
