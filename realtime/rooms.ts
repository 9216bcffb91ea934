export const discussionRoom = (gameId: string) => `discussion:${gameId}`

export const userRoom = (userId: string) => `user:${userId}`
