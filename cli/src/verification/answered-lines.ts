/** The lines of an answer in NDJSON. What follows the last line end was cut off. */
export const answeredLines = async <Line>(answer: Promise<Blob>): Promise<readonly Line[]> =>
  (await (await answer).text())
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
