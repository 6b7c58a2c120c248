export interface SpreadsheetJobs {
  /** Downloads the spreadsheet of a post and imports its vehicles. */
  'sheet.import': { postId: string }
}
