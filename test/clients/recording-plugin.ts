// A plugin of buf that generates no code: it writes down which files another one would be given, and their options.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { CodeGeneratorRequestSchema, CodeGeneratorResponseSchema } from "@bufbuild/protobuf/wkt";

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { fileToGenerate, protoFile } = fromBinary(CodeGeneratorRequestSchema, Buffer.concat(chunks));
const files = protoFile.map(({ name, options }) => ({
  name,
  isGenerated: fileToGenerate.includes(name),
  goPackage: options?.goPackage,
  javaPackage: options?.javaPackage,
}));
const response = create(CodeGeneratorResponseSchema, {
  // Of what buf may send, optional fields of proto3.
  supportedFeatures: 1n,
  file: [{ name: "files.json", content: JSON.stringify(files) }],
});
process.stdout.write(toBinary(CodeGeneratorResponseSchema, response));
