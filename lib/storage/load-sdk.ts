type Sdk = typeof import('@aws-sdk/client-s3')

/** Loads the SDK, without a word on standard error of the Node releases that later versions of it will refuse. */
export async function loadSdk(): Promise<Sdk> {
  // Our releases of the SDK are fixed, so an operator can do nothing about it. The SDK reads it when a client is made.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  return import('@aws-sdk/client-s3')
}
