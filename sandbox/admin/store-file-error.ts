/** A file that is no store, or a store that cannot take one. The message is for whoever gave the file. */
export class StoreFileError extends Error {
  /** 400 for the file, 409 for the store. */
  httpStatus: 400 | 409

  constructor(httpStatus: 400 | 409, message: string) {
    super(message)
    this.httpStatus = httpStatus
  }
}
