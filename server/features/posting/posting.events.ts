export interface SpreadsheetJobs {
  /** Fetches the link of a spreadsheet post and takes its vehicles over. */
  'sheet.import': { postId: string }
}
