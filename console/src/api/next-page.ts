/** The cursor of the next page of a list; undefined on the last. */
export const nextAfter = (headers: Headers): string | undefined => {
  const query = /<\?([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return query === undefined ? undefined : (new URLSearchParams(query).get('after') ?? undefined)
}
