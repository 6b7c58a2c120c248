export interface ChatFacts {
  /** A member has read up to `seq`; `otherId` is set where the other may know. */
  'chat.read': { chatId: string; dealerId: string; seq: number; otherId: string | undefined }
  'chat.typing': { chatId: string; dealerId: string }
}

export interface ChatJobs {
  /** A demo dealer reads what it was sent and begins to type. */
  'chat.demoTyping': { chatId: string; dealerId: string }
  /** A demo dealer answers. */
  'chat.demoReply': { chatId: string; dealerId: string }
}
